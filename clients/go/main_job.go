// The main job, through a client that oapi-codegen made of docs/openapi.json.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"strings"

	"mainjob/pdfnorm"
)

func main() {
	ctx := context.Background()
	address, document := os.Getenv("PDFNORM"), os.Args[1]

	visitor := client(address, "")
	owner := pdfnorm.RegisterRequest{
		OrgName:       "Go",
		OrgSlug:       "go-client",
		OwnerEmail:    "go@example.com",
		OwnerPassword: "correct horse battery",
	}
	must(visitor.RegisterOrganizationWithResponse(ctx, owner))
	session := must(visitor.LoginWithResponse(ctx, pdfnorm.LoginRequest{
		Email:    string(owner.OwnerEmail),
		Password: owner.OwnerPassword,
	}))

	member := client(address, session.JSON200.AccessToken)
	key := must(member.CreateApiKeyWithResponse(ctx, pdfnorm.CreateApiKeyRequest{
		Name:   "first",
		Scopes: []pdfnorm.ApiKeyScope{pdfnorm.Normalize, pdfnorm.Read},
	}))

	program := client(address, key.JSON200.FullKey)
	name := "first"
	batch := must(program.CreateBatchWithResponse(ctx, pdfnorm.CreateBatchRequest{Name: &name}))
	contentType, form := upload(document, map[string]string{
		"idempotency_key": "order-4711",
		"batch_id":        batch.JSON201.BatchId.String(),
	})
	submission := must(program.NormalizePdfWithBodyWithResponse(ctx, nil, contentType, form)).JSON200
	hash := submission.Normalized.Sha256
	report := must(program.GetReportWithResponse(ctx, hash)).JSON200
	artifact := must(program.DownloadArtifactWithResponse(ctx, hash, nil)).Body
	// The answer itself: by its media type the generator takes a JWS for JSON.
	certificate := must(io.ReadAll(must(program.GetCertificate(ctx, hash)).Body))
	refused := must(program.GetReportWithResponse(ctx, strings.Repeat("0", 64)))

	digest := sha256.Sum256(artifact)
	result := must(json.Marshal(map[string]any{
		"status":            submission.Status,
		"javascriptRemoved": submission.Security.JavascriptRemoved,
		"sha256":            hash,
		"artifact":          hex.EncodeToString(digest[:]),
		"stages":            len(report.Stages),
		"certificateParts":  len(strings.Split(string(certificate), ".")),
		"batch":             batch.JSON201.Status,
		"refusal":           refused.ApplicationproblemJSON404.Code,
	}))
	fmt.Println(string(result))
}

func client(address, token string) *pdfnorm.ClientWithResponses {
	return must(pdfnorm.NewClientWithResponses(address, pdfnorm.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			if token != "" {
				request.Header.Set("Authorization", "Bearer "+token)
			}
			return nil
		})))
}

func upload(document string, fields map[string]string) (string, *bytes.Buffer) {
	form := &bytes.Buffer{}
	writer := multipart.NewWriter(form)
	for name, value := range fields {
		must(0, writer.WriteField(name, value))
	}
	part := must(writer.CreateFormFile("file", "in.pdf"))
	must(part.Write(must(os.ReadFile(document))))
	must(0, writer.Close())
	return writer.FormDataContentType(), form
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
