import { useEffect } from 'react'
import { goOnAt, placesAround } from './focus-places.ts'

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
        const title = document.querySelector<HTMLElement>('h1')
        goOnAt([...places, title], (active) => active.closest('[role=dialog]') !== null)
      })
    }
  }, [opened])
}
