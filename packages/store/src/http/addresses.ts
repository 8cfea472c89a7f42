import { SkillsError } from '@skills/core'
import { lookup, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const notPublic = new BlockList()
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  notPublic.addSubnet(address, bits, 'ipv4')
for (const [address, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  notPublic.addSubnet(address, bits, 'ipv6')

/** Returns true for an address of this machine, of a local network, or of no machine. */
export function isPrivate(address: string): boolean {
  return notPublic.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Returns true if a URL itself names such an address, by its digits or as `localhost`. */
export function namesPrivate({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? /(?:^|\.)localhost\.?$/.test(host) : isPrivate(host)
}

/**
 * Looks a name up for a connection. The connection goes to one of the checked addresses, so that a name gains nothing
 * by giving other addresses on a second lookup.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const hidden = error === null ? found.find(({ address }) => isPrivate(address)) : undefined
    const [first] = found ?? []
    if (error !== null || first === undefined) callback(error, [])
    else if (hidden !== undefined) callback(refused(hostname, hidden.address), [])
    else if (options.all === true) callback(null, found)
    else callback(null, first.address, first.family)
  })
}

export function refused(host: string, address = host): SkillsError {
  const what = host === address ? `${host} is a private address` : `${host} has the private address ${address}`
  return new SkillsError('E_HTTP_ADDRESS', `${what}, which is refused unless it is the host in the URL of the site.`, {
    hint: 'If the site is in your own network, allow private addresses with "privateAddresses".',
  })
}
