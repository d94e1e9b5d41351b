import { setFlagsFromString } from 'node:v8'

/**
 * V8 lets a heap grow to a multiple of what lives in it before it looks for what does not. With a large document that
 * multiple is most of what its process takes. Looking sooner halves that and costs large documents next to nothing, but
 * small ones a tenth of their time.
 */
export function paceHeapGrowth(documentBytes: number): void {
  const percent = documentBytes > largeBytes ? 50 : byItself
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}

const largeBytes = 8 * 1024 * 1024
/** V8 chooses. */
const byItself = 0
