import { useEffect, useState } from 'preact/hooks'

/** Address of what is shown: a view and its subject. It is part of the URL, so that "back" and bookmarks work. */
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
