import { ApiKeyEntity } from '../api-key/api-key.ts'
import { ArtifactEntity, ArtifactReferenceEntity } from '../artifact/artifact.ts'
import { AttestationEntity } from '../attestation/attestation.ts'
import { SigningKeyEntity } from '../attestation/signing-key.ts'
import { BatchEntity } from '../batch/batch.ts'
import { SubscriptionEntity } from '../billing/subscription.ts'
import { AccountDeletionEntity } from '../data-protection/account-deletion.ts'
import { DataExportEntity } from '../data-protection/data-export.ts'
import { ErasureEntity } from '../data-protection/erasure.ts'
import { InvitationEntity } from '../member/invitation.ts'
import { MemberEntity } from '../member/member.ts'
import { OrganizationEntity } from '../organization/organization.ts'
import { DocumentUsageEntity } from '../plan/quota.ts'
import { ReportEntity } from '../report/report.ts'
import { OneTimeTokenEntity } from '../session/one-time-token.ts'
import { RefreshTokenEntity, SessionEntity } from '../session/session.ts'
import { IdempotencyKeyEntity } from '../submission/remember-idempotency-key.ts'
import { SubmissionEntity } from '../submission/submission.ts'
import { WebhookEntity } from '../webhook/webhook.ts'
import { WebhookEventEntity } from '../webhook/webhook-event.ts'
import { WebhookSecretEntity } from '../webhook/webhook-secret.ts'

/** Every entity that the database knows. */
export const entities = [
  OrganizationEntity,
  MemberEntity,
  SessionEntity,
  RefreshTokenEntity,
  InvitationEntity,
  OneTimeTokenEntity,
  ApiKeyEntity,
  SubmissionEntity,
  BatchEntity,
  IdempotencyKeyEntity,
  DocumentUsageEntity,
  SubscriptionEntity,
  ArtifactEntity,
  ArtifactReferenceEntity,
  ReportEntity,
  SigningKeyEntity,
  AttestationEntity,
  DataExportEntity,
  ErasureEntity,
  AccountDeletionEntity,
  WebhookEntity,
  WebhookSecretEntity,
  WebhookEventEntity,
]
