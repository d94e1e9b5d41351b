import { useEffect, useRef } from 'react'
import { goOnAt } from './focus-places.ts'

/**
 * Goes on from the title, or from another element, when what had the focus went away as a page changed its content: the
 * keyboard does not begin anew at the top.
 *
 * @param state changes with the content
 * @param selector of the element, which takes the focus
 */
export function useFocusKept(state: unknown, selector = 'h1'): void {
  const former = useRef(state)
  useEffect(() => {
    if (Object.is(former.current, state)) return
    former.current = state
    goOnAt([document.querySelector<HTMLElement>(selector)])
  }, [state, selector])
}
