import com.example.pdfnorm.ApiClient;
import com.example.pdfnorm.ApiException;
import com.example.pdfnorm.api.ApiKeysApi;
import com.example.pdfnorm.api.ArtifactsApi;
import com.example.pdfnorm.api.ArtifactsApi.APIDownloadArtifactRequest;
import com.example.pdfnorm.api.AttestationsApi;
import com.example.pdfnorm.api.AuthApi;
import com.example.pdfnorm.api.BatchesApi;
import com.example.pdfnorm.api.NormalizeApi;
import com.example.pdfnorm.api.NormalizeApi.APINormalizePdfRequest;
import com.example.pdfnorm.api.ReportsApi;
import com.example.pdfnorm.model.ApiKeyScope;
import com.example.pdfnorm.model.Batch;
import com.example.pdfnorm.model.CreateApiKeyRequest;
import com.example.pdfnorm.model.CreateBatchRequest;
import com.example.pdfnorm.model.LoginRequest;
import com.example.pdfnorm.model.NormalizeResponse;
import com.example.pdfnorm.model.Problem;
import com.example.pdfnorm.model.RegisterRequest;
import com.example.pdfnorm.model.Report;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The main job, through a client that OpenAPI Generator made of docs/openapi.json. */
public final class MainJob {
  private static final String ADDRESS = System.getenv("PDFNORM");

  public static void main(String[] arguments) throws Exception {
    AuthApi auth = new AuthApi(client(null));
    RegisterRequest owner =
        new RegisterRequest()
            .orgName("Java")
            .orgSlug("java-client")
            .ownerEmail("java@example.com")
            .ownerPassword("correct horse battery");
    auth.registerOrganization(owner);
    LoginRequest credentials =
        new LoginRequest().email(owner.getOwnerEmail()).password(owner.getOwnerPassword());
    String token = auth.login(credentials).getAccessToken();

    CreateApiKeyRequest wanted =
        new CreateApiKeyRequest()
            .name("first")
            .scopes(List.of(ApiKeyScope.NORMALIZE, ApiKeyScope.READ));
    ApiClient program = client(new ApiKeysApi(client(token)).createApiKey(wanted).getFullKey());

    Batch batch = new BatchesApi(program).createBatch(new CreateBatchRequest().name("first"));
    NormalizeResponse submission =
        new NormalizeApi(program)
            .normalizePdf(
                APINormalizePdfRequest.newBuilder()
                    ._file(new File(arguments[0]))
                    .idempotencyKey("order-4711")
                    .batchId(batch.getBatchId())
                    .build());
    String sha256 = submission.getNormalized().getSha256();
    Report report = new ReportsApi(program).getReport(sha256);
    File artifact =
        new ArtifactsApi(program)
            .downloadArtifact(APIDownloadArtifactRequest.newBuilder().hash(sha256).build());
    File certificate = new AttestationsApi(program).getCertificate(sha256);

    Map<String, Object> result = new LinkedHashMap<>();
    result.put("status", submission.getStatus().getValue());
    result.put("javascriptRemoved", submission.getSecurity().getJavascriptRemoved());
    result.put("sha256", sha256);
    result.put("artifact", sha256Of(artifact.toPath()));
    result.put("stages", report.getStages().size());
    result.put("certificateParts", Files.readString(certificate.toPath()).split("\\.").length);
    result.put("batch", batch.getStatus().getValue());
    result.put("refusal", refusalOf(program));
    System.out.println(new ObjectMapper().writeValueAsString(result));
  }

  private static String refusalOf(ApiClient program) throws Exception {
    try {
      new ReportsApi(program).getReport("0".repeat(64));
      return null;
    } catch (ApiException refused) {
      Problem problem =
          program.getObjectMapper().readValue(refused.getResponseBody(), Problem.class);
      return problem.getCode();
    }
  }

  private static ApiClient client(String token) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(ADDRESS);
    if (token != null) {
      client.setRequestInterceptor(
          request -> request.header("Authorization", "Bearer " + token));
    }
    return client;
  }

  private static String sha256Of(Path file) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    return HexFormat.of().formatHex(digest);
  }
}
