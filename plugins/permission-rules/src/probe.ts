import {
  broadProbe,
  strictProbe,
  type Candidate,
  type FileTools,
  type PathPlace,
  type Probe,
} from '@skills/rules/internal'
import type { PermissionRequest } from '@skills/rules'
import { allowedNames, forbiddenNames } from './entry-names.js'

/** Context of rules about files. */
export interface FileGround {
  readonly place?: PathPlace | undefined
  readonly fileTools?: FileTools | undefined
}

/** Makes the probe of a request that may be allowed, from what is certain about it. */
export function strictProbeOf(request: PermissionRequest, ground: FileGround): Probe {
  return request.tool === 'Skill'
    ? namesProbe('Skill', allowedNames(request.entry))
    : strictProbe({ ...request, ...ground })
}

/** Makes the probe of a request that may be forbidden, from everything that it might be. */
export function broadProbeOf(request: PermissionRequest, ground: FileGround): Probe | Promise<Probe> {
  return request.tool === 'Skill'
    ? namesProbe('skill', forbiddenNames(request.entry))
    : broadProbe({ ...request, ...ground })
}

function namesProbe(tool: string, names: readonly Candidate[]): Probe {
  const ofServers = names.flatMap(({ text }) => (text.startsWith('mcp__') ? [text] : []))
  return { tools: [tool, ...ofServers], whole: names, open: names }
}
