import type { FieldFault, Refusal } from '@pdfnorm/contracts/schema/problem'
import type { StagedObject } from '../artifact/object-store.ts'

/** An upload that was read to its end. The receiver discards or adopts the file. */
export interface Upload {
  readonly fields: ReadonlyMap<string, string>
  /** Hashed and staged; null when there is not exactly one PDF: then `faults` say why. */
  readonly file: UploadedFile | null
  /** What is wrong with the form itself, beside what its fields say. */
  readonly faults: readonly FieldFault[]
}

export interface UploadedFile {
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string
  readonly sizeBytes: number
  /** null when the file is larger than the bytes to keep: it was hashed and let go. */
  readonly staged: StagedObject | null
}

/** Why an upload was not read to its end. */
export type UploadRefusal = Refusal<
  'VALIDATION_ERROR' | 'FILE_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE'
>

/** What has come so far. The first refusal stands; the bytes of a file after it, or after a fault of its own, are dropped. */
export class ReceivedUpload {
  readonly #fields = new Map<string, string>()
  readonly #faults: FieldFault[] = []
  readonly #staged: StagedObject[] = []
  #file: UploadedFile | null = null
  #fileParts = 0
  #fileIsFaulty = false
  #refusal: UploadRefusal | null = null

  /** Whether the bytes of the file are of no use any more. */
  get dropsFile(): boolean {
    return this.#refusal !== null || this.#fileIsFaulty
  }

  refuse(refusal: UploadRefusal): void {
    this.#refusal ??= refusal
  }

  fault(fault: FieldFault): void {
    this.#faults.push(fault)
  }

  /** Not exactly one PDF (decision 2.5). */
  faultOfFile(message: string): void {
    if (this.#fileIsFaulty) return
    this.#fileIsFaulty = true
    this.fault({ location: 'body.file', code: 'INVALID_FILE', message })
  }

  field(name: string, value: string): void {
    if (this.#fields.has(name)) {
      this.fault({ location: `body.${name}`, code: 'duplicate', message: 'is given twice' })
    }
    this.#fields.set(name, value)
  }

  /** Whether this part is the one file, the first of its name. */
  startFile(): boolean {
    this.#fileParts += 1
    if (this.#fileParts > 1) {
      this.faultOfFile('Send one PDF per request: there are two parts `file`')
    }
    return this.#fileParts === 1
  }

  keep(staged: StagedObject): void {
    this.#staged.push(staged)
  }

  finishFile(file: UploadedFile): void {
    this.#file = file
  }

  upload(): Upload | UploadRefusal {
    if (this.#refusal !== null) return this.#refusal
    if (this.#fileParts === 0) {
      this.faultOfFile(
        this.#fields.has('file')
          ? 'The part `file` is a text field: send it with a filename'
          : 'There is no part `file`: send the PDF as multipart/form-data in a part of that name',
      )
    }
    const file = this.#fileIsFaulty ? null : this.#file
    return { fields: this.#fields, file, faults: this.#faults }
  }

  async discard(): Promise<void> {
    for (const staged of this.#staged) await staged.discard()
  }
}
