/** An element, and the parts of the page around it that can take the focus, the nearest first. */
export function placesAround(element: Element | null): HTMLElement[] {
  const places: HTMLElement[] = []
  for (let at = element; at !== null && !at.matches('main, body'); at = at.parentElement) {
    const takesFocus = at === element || at.hasAttribute('tabindex')
    if (takesFocus && at instanceof HTMLElement) places.push(at)
  }
  return places
}

/**
 * Gives the focus to the first place that is still there, if nothing has it.
 *
 * @param isLost whether what has it does not count
 */
export function goOnAt(
  places: readonly (HTMLElement | null)[],
  isLost: (active: Element) => boolean = () => false,
): void {
  const { activeElement: active } = document
  if (active !== null && !active.matches('body, :disabled') && !isLost(active)) return
  const place = places.find((element) => element?.isConnected && !element.matches(':disabled'))
  place?.focus({ preventScroll: true })
}
