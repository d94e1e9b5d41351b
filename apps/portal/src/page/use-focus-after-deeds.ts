import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { goOnAt, placesAround } from './focus-places.ts'

/**
 * A button is disabled while what it does is under way, and so loses the focus; it may even be gone afterwards. The
 * keyboard goes on at it, or at the part of the page around it.
 */
export function useFocusAfterDeeds(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    let places: HTMLElement[] = []
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof Element) places = placesAround(target)
    }
    document.addEventListener('focusin', remember)
    const unsubscribe = queryClient.getMutationCache().subscribe((event) => {
      const isDone = event.type === 'updated' && ['success', 'error'].includes(event.action.type)
      // Once the page is drawn with what came of it.
      if (isDone) setTimeout(() => goOnAt(places))
    })
    return () => {
      document.removeEventListener('focusin', remember)
      unsubscribe()
    }
  }, [queryClient])
}
