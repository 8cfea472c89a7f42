import { broadProbe, strictProbe, type Candidate, type Probe } from '@skills/invocation/tool-rules'
import { allowedNames, forbiddenNames } from './entry-names.js'
import type { PermissionRequest } from '@skills/invocation'

/** What a request is when it may be allowed: only what it is for sure. */
export function strictProbeOf(request: PermissionRequest): Probe {
  return request.tool === 'Skill' ? namesProbe('Skill', allowedNames(request.entry)) : strictProbe(request)
}

/** What a request is when it may be forbidden: anything that it might be. */
export function broadProbeOf(request: PermissionRequest): Probe | Promise<Probe> {
  return request.tool === 'Skill' ? namesProbe('skill', forbiddenNames(request.entry)) : broadProbe(request)
}

function namesProbe(tool: string, names: readonly Candidate[]): Probe {
  const ofServers = names.flatMap(({ text }) => (text.startsWith('mcp__') ? [text] : []))
  return { tools: [tool, ...ofServers], whole: names, open: names }
}
