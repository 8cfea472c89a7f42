import { useEffect, useState } from 'preact/hooks'
import { routeOf, type Route } from './address.js'

/** @param isReplaced true to replace the entry of the history, such as for a selection by arrow key */
export function go(href: string, isReplaced = false): void {
  if (location.hash === href) return
  if (isReplaced) {
    history.replaceState(null, '', href)
    dispatchEvent(new HashChangeEvent('hashchange'))
  } else location.hash = href
}

export function useRoute(): Route {
  const [route, setRoute] = useState(routeOf(location.hash))
  useEffect(() => {
    const look = (): void => setRoute(routeOf(location.hash))
    addEventListener('hashchange', look)
    return () => removeEventListener('hashchange', look)
  }, [])
  return route
}
