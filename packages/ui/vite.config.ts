import { defineConfig } from 'vite'

/**
 * Builds the page as static files. In the mode `report`, it builds one script and one style sheet for a report to
 * embed. Nothing is inlined into the HTML of the page, so its content policy needs no exception.
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
    // The editor is large, and loaded separately.
    chunkSizeWarningLimit: 700,
    ...(mode === 'report' && {
      cssCodeSplit: false,
      rolldownOptions: {
        input: 'page/main.tsx',
        // In a report there are no chunks, so the code that loads them needs no address.
        transform: { define: { 'import.meta': '{}' } },
        output: { format: 'iife' as const, entryFileNames: 'report.js', assetFileNames: 'report[extname]' },
      },
    }),
  },
  logLevel: 'warn',
}))
