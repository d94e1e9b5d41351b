import { builtSite, writeSite } from './write-site.ts'

// `npm run build`
console.log(`wrote ${await writeSite()} files to ${builtSite}`)
