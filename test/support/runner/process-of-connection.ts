import { readdir, readFile, readlink } from 'node:fs/promises';

/** Which of these processes is the client of a connection on this machine. Needs Linux. */
export async function processOfConnection(
  clientPort: number,
  serverPort: number,
  pids: readonly number[],
): Promise<number | undefined> {
  const wanted = [clientPort, serverPort].map((port) => port.toString(16).toUpperCase().padStart(4, '0'));
  const table = await readFile('/proc/net/tcp', 'utf8');
  for (const line of table.split('\n')) {
    const [, local, remote, , , , , , , inode] = line.trim().split(/\s+/);
    if (local?.split(':')[1] !== wanted[0] || remote?.split(':')[1] !== wanted[1]) continue;
    for (const pid of pids) if (await hasSocket(pid, inode as string)) return pid;
  }
  return undefined;
}

async function hasSocket(pid: number, inode: string): Promise<boolean> {
  const directory = `/proc/${pid}/fd`;
  const files = await readdir(directory).catch(() => []);
  const targets = await Promise.all(files.map((file) => readlink(`${directory}/${file}`).catch(() => '')));
  return targets.includes(`socket:[${inode}]`);
}
