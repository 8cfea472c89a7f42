import { defineConfig } from 'vite'

/**
 * The page as static files; in the mode `report` one script and one style sheet, for a report to hold. Nothing is put
 * into the page's text itself, so that its content policy names no exception.
 */
export default defineConfig(({ mode }) => ({
  root: 'page',
  base: './',
  define: { isBuiltAsReport: JSON.stringify(mode === 'report') },
  build: {
    outDir: mode === 'report' ? '../dist/report' : '../dist/page',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false as const,
    assetsInlineLimit: 0,
    license: { fileName: 'licenses.md' },
    reportCompressedSize: false,
    // The editor is loaded by itself.
    chunkSizeWarningLimit: 700,
    ...(mode === 'report' && {
      cssCodeSplit: false,
      rolldownOptions: {
        input: 'page/main.tsx',
        // What loads chunks of the page has none to load here.
        transform: { define: { 'import.meta': '{}' } },
        output: { format: 'iife' as const, entryFileNames: 'report.js', assetFileNames: 'report[extname]' },
      },
    }),
  },
  logLevel: 'warn',
}))
