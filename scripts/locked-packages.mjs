/**
 * The packages of a package-lock.json that some packages need, by their paths. `names` are installed, `optional` ones where they
 * fit the platform. What others need for a platform is left out: they name it in one version.
 */
export function lockedPackages(lock, names, optional) {
  const found = new Map();
  for (const name of names) add(name, '', false);
  for (const name of optional) add(name, '', true);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));

  function add(name, from, isOptional) {
    const path = pathOf(name, from);
    if (path === undefined) {
      if (isOptional) return;
      throw new Error(`package-lock.json has no ${name}`);
    }
    const isForPlatform = lock.packages[path].os !== undefined || lock.packages[path].cpu !== undefined;
    if (from !== '' && isForPlatform) return;
    const known = found.get(path);
    if (known !== undefined && (isOptional || known.optional === undefined)) return;
    const { dev, devOptional, peer, optional: _, ...entry } = lock.packages[path];
    found.set(path, isOptional ? { ...entry, optional: true } : entry);
    for (const each of Object.keys(entry.dependencies ?? {})) add(each, path, isOptional);
    for (const each of Object.keys(entry.optionalDependencies ?? {})) add(each, path, true);
  }

  /** As Node finds packages: beside the one that asks, or in a folder above. */
  function pathOf(name, from) {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
      if (lock.packages[path] !== undefined) return path;
      if (folder === '') return undefined;
    }
  }
}
