/** Of a form in a wide page, in pixels: a field much longer than what is written into it looks lost. */
export const formWidth = 560
