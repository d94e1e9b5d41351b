/** How a normalized file is handed out (interface, section 4.3). */
export const artifactContentType = 'application/pdf'
export const artifactFileName = 'normalized.pdf'
