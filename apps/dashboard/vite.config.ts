import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const outDir = join(import.meta.dirname, '../../dist/apps/dashboard/web');

/**
 * Adds the script that chooses the colour scheme before the first paint. The content security policy refuses inline scripts, so
 * it is a file of its own.
 */
function boot(): Plugin {
  const code = readFileSync(join(import.meta.dirname, 'src/theme/boot.js'), 'utf8');
  const name = `assets/boot-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
  return {
    name: 'boot',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: name, source: code });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => [
        { tag: 'script', attrs: { src: `/${name}` }, injectTo: 'head-prepend' },
        ...Object.keys(bundle ?? {})
          .filter((file) => /inter-latin-wght-normal[\w.-]{0,60}\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head-prepend' as const,
          })),
      ],
    },
  };
}

/** Writes a `.br` and a `.gz` beside each text file, which the server sends as they are. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      for (const name of readdirSync(outDir, { recursive: true }) as string[]) {
        if (!/\.(js|css|html|svg|json)$/.test(name)) continue;
        const file = join(outDir, name);
        const bytes = readFileSync(file);
        if (bytes.length < 512) continue;
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

const server = process.env.POSTRIDER_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), boot(), compressed()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    // Fonts and icons stay files: the content security policy allows no `data:` fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  server: {
    port: 5173,
    // Whatever is not the dashboard is the API of a running program.
    proxy: { '^/(?!$|app|docs$|src/|@|node_modules/|index\\.html)': { target: server, changeOrigin: false } },
  },
});
