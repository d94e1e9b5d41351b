/**
 * Stands in for @ts-rest/core in the browser, where an endpoint is read for its method, path and metadata alone. The
 * library is one file of 20 kB (gzipped) that routers and clients need and this portal does not.
 */
export function initContract() {
  return {
    router: <Endpoints>(endpoints: Endpoints): Endpoints => endpoints,
    noBody: () => null,
    type: () => null,
    otherResponse: <Response>(response: Response): Response => response,
  }
}
