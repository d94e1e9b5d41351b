import { memberDocuments } from '@pdfnorm/contracts/endpoint/member-documents'
import { routes } from '../mount.ts'
import { handOut } from './artifacts.ts'
import { leaveFormToHandler, takeUpload } from './normalize.ts'

export const memberDocumentRoutes = routes(memberDocuments, (platform) => ({
  normalizeAsMember: {
    middleware: [leaveFormToHandler],
    handler: ({ req, res }) => takeUpload(platform, { req, res }),
  },
  downloadAsMember: ({ req, res, params }) => handOut(platform, { req, res }, params.hash),
}))
