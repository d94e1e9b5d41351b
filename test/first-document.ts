import { writeFile } from 'node:fs/promises'
import { PDFDocument, StandardFonts } from 'pdf-lib'

/** An ordinary document of one page, as a program of the world writes it. */
export async function writeDocument(file: string): Promise<void> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  document.addPage([612, 792]).drawText('A first document', { x: 72, y: 700, size: 24, font })
  await writeFile(file, await document.save())
}
