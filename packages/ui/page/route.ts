import { useEffect, useState } from 'preact/hooks'

/** Where one is: a view, and what of it is shown. It stands in the address, so that back and a bookmark work. */
export interface Route {
  readonly view: string
  readonly name: string | undefined
  readonly path: string | undefined
}

export function routeOf(hash: string): Route {
  const [place = '', search = ''] = hash.replace(/^#\/?/, '').split('?')
  const [view = '', ...rest] = place.split('/').map(part => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })
  const name = rest.join('/')
  return {
    view: view === '' ? 'skills' : view,
    name: name === '' ? undefined : name,
    path: new URLSearchParams(search).get('path') ?? undefined,
  }
}

export function linkTo(view: string, name?: string, path?: string | null): string {
  const search = path === undefined || path === null ? '' : `?${new URLSearchParams({ path }).toString()}`
  return `#/${view}${name === undefined ? '' : `/${encodeURIComponent(name)}`}${search}`
}

/** @param isReplaced whether back leads past it, as of a selection that a key moved */
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
