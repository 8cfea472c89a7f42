import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** Counts the lines with at least one token. Blank lines and comments do not count. */
export function codeLines(file: string): number {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  const lines = new Set<number>()
  const visit = (node: ts.Node): void => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return
    const children = node.getChildren(source)
    if (children.length > 0) return children.forEach(visit)
    if (node.getWidth(source) === 0) return
    const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line
    const last = source.getLineAndCharacterOfPosition(node.getEnd()).line
    for (let line = first; line <= last; line++) lines.add(line)
  }
  visit(source)
  return lines.size
}
