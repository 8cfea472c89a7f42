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

/** What rules about files are held against besides a request. */
export interface FileGround {
  readonly place?: PathPlace | undefined
  readonly fileTools?: FileTools | undefined
}

/** What a request is when it may be allowed: only what it is for sure. */
export function strictProbeOf(request: PermissionRequest, ground: FileGround): Probe {
  return request.tool === 'Skill'
    ? namesProbe('Skill', allowedNames(request.entry))
    : strictProbe({ ...request, ...ground })
}

/** What a request is when it may be forbidden: anything that it might be. */
export function broadProbeOf(request: PermissionRequest, ground: FileGround): Probe | Promise<Probe> {
  return request.tool === 'Skill'
    ? namesProbe('skill', forbiddenNames(request.entry))
    : broadProbe({ ...request, ...ground })
}

function namesProbe(tool: string, names: readonly Candidate[]): Probe {
  const ofServers = names.flatMap(({ text }) => (text.startsWith('mcp__') ? [text] : []))
  return { tools: [tool, ...ofServers], whole: names, open: names }
}
