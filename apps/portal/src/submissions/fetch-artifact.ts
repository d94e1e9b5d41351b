import { memberDocuments } from '@pdfnorm/contracts/endpoint/member-documents'
import { authorizedFetch } from '../session/authorized-fetch.ts'
import { problemOfAnswer } from '../session/call-api.ts'

/**
 * The normalized file of this hash.
 *
 * @throws ProblemError when it is not there, or not any more
 */
export async function fetchArtifact(hash: string): Promise<Blob> {
  const path = memberDocuments.downloadAsMember.path.replace(':hash', hash)
  const response = await authorizedFetch(path)
  if (!response.ok) throw await problemOfAnswer(response)
  return response.blob()
}
