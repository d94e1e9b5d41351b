import { type FieldFault, Refusal } from '@pdfnorm/contracts/schema/problem'
import type { StagedObject } from '../artifact/object-store.ts'

/** A whole upload: its text fields, and the file hashed and staged. The receiver discards or adopts the file. */
export interface Upload {
  readonly fields: ReadonlyMap<string, string>
  readonly file: UploadedFile
}

export interface UploadedFile {
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string
  readonly sizeBytes: number
  /** null when the file is larger than the bytes to keep: it was hashed and let go. */
  readonly staged: StagedObject | null
}

export type UploadRefusal = Refusal<
  'VALIDATION_ERROR' | 'INVALID_FILE' | 'FILE_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE'
>

/** What has come so far. The first refusal stands; what comes after it is read and dropped. */
export class ReceivedUpload {
  readonly #fields = new Map<string, string>()
  readonly #faults: FieldFault[] = []
  readonly #staged: StagedObject[] = []
  #file: UploadedFile | null = null
  #fileParts = 0
  #refusal: UploadRefusal | null = null

  get refused(): boolean {
    return this.#refusal !== null
  }

  refuse(refusal: UploadRefusal): void {
    this.#refusal ??= refusal
  }

  fault(fault: FieldFault): void {
    this.#faults.push(fault)
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
      this.refuse(
        new Refusal('INVALID_FILE', 'Send one PDF per request: there are two parts `file`'),
      )
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
    if (this.#faults.length > 0) {
      return new Refusal('VALIDATION_ERROR', 'The form is not valid', { errors: this.#faults })
    }
    if (this.#file === null) {
      const detail = this.#fields.has('file')
        ? 'The part `file` is a text field: send it with a filename'
        : 'There is no part `file`: send the PDF as multipart/form-data in a part of that name'
      return new Refusal('INVALID_FILE', detail)
    }
    return { fields: this.#fields, file: this.#file }
  }

  async discard(): Promise<void> {
    for (const staged of this.#staged) await staged.discard()
  }
}
