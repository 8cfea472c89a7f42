import type { SkillVersion } from './registry-types.js'

/** Returns a version as programs get it: without its text. */
export function versionJson({ text: _text, publishedAt, ...version }: SkillVersion) {
  return { ...version, publishedAt: new Date(publishedAt).toISOString() }
}

/** Returns a version of which only the brief part was read. */
export function briefJson(version: SkillVersion) {
  const { files: _files, powers: _powers, provenance: _provenance, ...brief } = versionJson(version)
  return brief
}
