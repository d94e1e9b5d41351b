"""The main job, through a client that openapi-python-client made of docs/openapi.json."""

import hashlib
import json
import os
import sys
from pathlib import Path

from pdfnorm_client import AuthenticatedClient, Client
from pdfnorm_client.api.api_keys import create_api_key
from pdfnorm_client.api.artifacts import download_artifact
from pdfnorm_client.api.attestations import get_certificate
from pdfnorm_client.api.auth import login, register_organization
from pdfnorm_client.api.batches import create_batch
from pdfnorm_client.api.normalize import normalize_pdf
from pdfnorm_client.api.reports import get_report
from pdfnorm_client.models import (
    ApiKeyScope,
    CreateApiKeyRequest,
    CreateBatchRequest,
    LoginRequest,
    NormalizeRequest,
    Problem,
    RegisterRequest,
)
from pdfnorm_client.types import File

address, document = os.environ["PDFNORM"], Path(sys.argv[1])

visitor = Client(base_url=address)
owner = RegisterRequest(
    org_name="Python",
    org_slug="python-client",
    owner_email="python@example.com",
    owner_password="correct horse battery",
)
register_organization.sync(client=visitor, body=owner)
session = login.sync(
    client=visitor, body=LoginRequest(email=owner.owner_email, password=owner.owner_password)
)

member = AuthenticatedClient(base_url=address, token=session.access_token)
key = create_api_key.sync(
    client=member,
    body=CreateApiKeyRequest(name="first", scopes=[ApiKeyScope.NORMALIZE, ApiKeyScope.READ]),
)

program = AuthenticatedClient(base_url=address, token=key.full_key)
batch = create_batch.sync(client=program, body=CreateBatchRequest(name="first"))
with document.open("rb") as pdf:
    submission = normalize_pdf.sync(
        client=program,
        body=NormalizeRequest(
            file=File(payload=pdf, file_name=document.name, mime_type="application/pdf"),
            idempotency_key="order-4711",
            batch_id=batch.batch_id,
        ),
    )
sha256 = submission.normalized.sha256
report = get_report.sync(sha256, client=program)
artifact = download_artifact.sync(sha256, client=program)
certificate = get_certificate.sync(sha256, client=program)
refusal = get_report.sync("0" * 64, client=program)

print(
    json.dumps(
        {
            "status": submission.status.value,
            "javascriptRemoved": submission.security.javascript_removed,
            "sha256": sha256,
            "artifact": hashlib.sha256(artifact.payload.read()).hexdigest(),
            "stages": len(report.stages),
            "certificateParts": len(certificate.payload.read().split(b".")),
            "batch": batch.status.value,
            "refusal": refusal.code if isinstance(refusal, Problem) else None,
        }
    )
)
