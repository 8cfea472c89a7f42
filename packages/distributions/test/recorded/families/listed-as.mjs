// @ts-check

/**
 * Returns how each of these folders is listed: `name: description`, after `off ` if a setting keeps it from models;
 * `<none>` for one that is not listed.
 * @param {readonly { readonly name: string, readonly description?: string | undefined, readonly path?: string | undefined, readonly isOff?: boolean | undefined }[]} found
 * @param {readonly string[]} folders
 */
export function listedAs(found, folders) {
  const byFolder = new Map(found.map(skill => [skill.path?.split('/').at(-2), skill]))
  return folders.map(folder => {
    const skill = byFolder.get(folder)
    return skill === undefined
      ? '<none>'
      : `${skill.isOff === true ? 'off ' : ''}${skill.name}: ${skill.description ?? ''}`
  })
}
