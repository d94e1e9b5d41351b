import { join, resolve } from 'node:path'
import type { OpenAPIObject } from 'openapi3-ts/oas31'
import { openapiDocument } from './openapi.ts'
import { sdkFiles } from './sdk.ts'

export const root = resolve(import.meta.dirname, '../..')

/** Everything in this directory is generated. */
export const generatedDirectory = join(root, 'sdk/src/generated')

/** Every generated file, by its path, as it has to be. */
export function generatedFiles(): Map<string, string> {
  const text = openapiDocument()
  const document: OpenAPIObject = JSON.parse(text)
  return new Map([
    [join(root, 'docs/openapi.json'), text],
    ...Object.entries(sdkFiles(document)).map(([name, content]): [string, string] => [
      join(generatedDirectory, name),
      content,
    ]),
  ])
}
