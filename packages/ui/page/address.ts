/** Address of what is shown: a view and its subject. It is part of the URL, so that "back" and bookmarks work. */
export interface Route {
  readonly view: string
  readonly name: string | undefined
  readonly path: string | undefined
  /** Further parameters, such as the words of a filter. */
  readonly more: URLSearchParams
}

/** Further parameters of a link. Empty ones are left out; a list is repeated. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>

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
  const more = new URLSearchParams(search)
  const path = more.get('path') ?? undefined
  more.delete('path')
  return { view: view === '' ? 'home' : view, name: name === '' ? undefined : name, path, more }
}

export function linkTo(view: string, name?: string, path?: string | null, more: Parameters = {}): string {
  const search = new URLSearchParams(path ? { path } : {})
  for (const [key, value] of Object.entries(more))
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) if (one !== '') search.append(key, one)
  const place = `${view === 'home' ? '' : view}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`
  return `#/${place}${search.size === 0 ? '' : `?${search.toString()}`}`
}
