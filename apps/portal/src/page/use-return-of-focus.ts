import { useEffect } from 'react'

/**
 * Where the keyboard goes on when a dialog closes: at what had opened it or, if that went with what the dialog removed,
 * at the part of the page around it, and else at the title.
 */
export function useReturnOfFocus(opened: boolean): void {
  useEffect(() => {
    if (!opened) return undefined
    const places = placesAround(document.activeElement)
    return () => {
      // Once the page is drawn without the dialog, and without what it removed.
      setTimeout(() => {
        if (!isFocusLost()) return
        const place = places.find(({ isConnected }) => isConnected)
        ;(place ?? document.querySelector<HTMLElement>('h1'))?.focus({ preventScroll: true })
      })
    }
  }, [opened])
}

/** An element, and the parts of the page that hold it and can take the focus. */
function placesAround(element: Element | null): HTMLElement[] {
  const places: HTMLElement[] = []
  for (let at = element; at !== null && !at.matches('main, body'); at = at.parentElement) {
    const takesFocus = at === element || at.hasAttribute('tabindex')
    if (takesFocus && at instanceof HTMLElement) places.push(at)
  }
  return places
}

/** Whoever has moved it elsewhere meanwhile, as to the title of another page, knows better. */
function isFocusLost(): boolean {
  const { activeElement } = document
  return (
    activeElement === null ||
    activeElement === document.body ||
    activeElement.closest('[role=dialog]') !== null
  )
}
