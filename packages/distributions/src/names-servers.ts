import type { PublishedOptions } from './published.js'

/** True if servers of a plugin are named with it, so that they may be used. */
export function namesServers({ plugins = [], packages = [] }: Partial<PublishedOptions>): boolean {
  return [...plugins, ...packages].some(one => typeof one === 'object' && (one.servers ?? []).length > 0)
}
