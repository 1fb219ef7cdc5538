import { join } from 'node:path';
import { lockDataDir, startEmbeddedPostgres } from '#postgres/embedded';

/**
 * A program with its own PostgreSQL, for tests that kill programs. It prints the address of the server or the error,
 * and stops when its input ends. `program.ts <dataDir> [<directory of the executables>]`
 */
const [dataDir, binDir] = process.argv.slice(2) as [string, string?];

try {
  const lock = await lockDataDir(dataDir);
  const server = await startEmbeddedPostgres({
    dataDir,
    binaries: binDir === undefined ? undefined : { postgres: join(binDir, 'postgres'), initdb: join(binDir, 'initdb') },
    onLog: () => {},
    onExit: (exit) => console.log(JSON.stringify({ exit })),
  });
  console.log(JSON.stringify({ url: server.url }));
  for await (const _ of process.stdin) continue;
  await server.stop();
  await lock.release();
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).message }));
}
