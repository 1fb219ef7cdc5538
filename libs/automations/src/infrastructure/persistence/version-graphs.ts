import { Transaction } from '#kernel';
import { Row, statementsOf, storableJson } from '#postgres/database';
import { Graph, StoredGraph } from '../../domain/graph.js';

export interface Version {
  readonly automationId: string;
  readonly version: number;
}

interface SizedVersion extends Version {
  readonly key: string;
  readonly characters: number;
}

interface Known {
  readonly graph: Graph;
  readonly characters: number;
}

type GraphOf = (version: Version) => Graph;

/** The size of a version that the release before has added is not stored. */
export const charactersOfVersion = 'coalesce(v.characters, length(v.graph::text))';

const maxGraphs = 500;
/** Characters of the graphs in memory, as JSON: those of {@link maxGraphs} are 10 MB in practice. */
const maxCharacters = 64_000_000;
/** Graphs of one statement: 4 MB, each of the largest size. */
const graphsAtOnce = 8;

/** The graphs of versions, which never change, as far as this process keeps them in memory. */
export class VersionGraphs {
  private readonly graphs = new Map<string, Known>();
  private characters = 0;

  /**
   * Loads the graphs of the first of what has versions, and of what comes behind as long as they fit into `max` characters.
   * Those of a deleted automation are gone with its runs: they are empty.
   */
  async loadFirst<One extends Version>(
    wanted: readonly One[],
    max: number,
    transaction: Transaction,
  ): Promise<{ readonly loaded: readonly One[]; readonly graphOf: GraphOf }> {
    const sized = await this.sizesOf(wanted, transaction);
    const fitting = within([...sized.values()], max);
    const keys = new Set(fitting.map(({ key }) => key));
    const graphOf = await this.loadAll(fitting, transaction);
    return { loaded: wanted.filter((one) => keys.has(keyOf(one))), graphOf };
  }

  private async loadAll(wanted: readonly SizedVersion[], transaction: Transaction): Promise<GraphOf> {
    // Another transaction may empty the memory meanwhile.
    const loaded = new Map<string, Graph>();
    const unknown: SizedVersion[] = [];
    for (const version of wanted) {
      const known = this.graphs.get(version.key);
      if (known === undefined) unknown.push(version);
      else loaded.set(version.key, known.graph);
    }
    const added = unknown.reduce((sum, { characters }) => sum + characters, 0);
    if (this.graphs.size + unknown.length > maxGraphs || this.characters + added > maxCharacters) {
      this.graphs.clear();
      this.characters = 0;
    }
    for (let from = 0; from < unknown.length; from += graphsAtOnce) {
      for (const [key, known] of await this.read(unknown.slice(from, from + graphsAtOnce), transaction)) {
        loaded.set(key, known.graph);
        this.keep(key, known);
      }
    }
    return (version) => loaded.get(keyOf(version)) ?? Graph.empty;
  }

  /** In the order in which they are wanted, each once. A version that is gone has no size. */
  private async sizesOf(
    versions: readonly Version[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, SizedVersion>> {
    const sized = new Map<string, SizedVersion>();
    const unknown: Version[] = [];
    for (const { automationId, version } of versions) {
      const key = keyOf({ automationId, version });
      if (sized.has(key)) continue;
      const known = this.graphs.get(key);
      sized.set(key, { key, automationId, version, characters: known?.characters ?? 0 });
      if (known === undefined) unknown.push({ automationId, version });
    }
    if (unknown.length === 0) return sized;
    const rows = await statementsOf(transaction).query<Row<Version & { characters: number }>>({
      name: 'sizes-of-versions',
      text: `SELECT v.automation_id AS "automationId", v.version, ${charactersOfVersion} AS characters ${storedVersions}`,
      values: [rowsOf(unknown)],
    });
    for (const row of rows) sized.set(keyOf(row), { ...row, key: keyOf(row) });
    return sized;
  }

  private async read(
    versions: readonly Version[],
    transaction: Transaction,
  ): Promise<readonly (readonly [string, Known])[]> {
    const rows = await statementsOf(transaction).query<Row<Version & { graph: StoredGraph; characters: number }>>({
      name: 'graphs-of-versions',
      text: `SELECT v.automation_id AS "automationId", v.version, v.graph, ${charactersOfVersion} AS characters ${storedVersions}`,
      values: [rowsOf(versions)],
    });
    return rows.map(({ graph, characters, ...version }) => [keyOf(version), { graph: Graph.of(graph), characters }]);
  }

  private keep(key: string, known: Known): void {
    const isFull = this.graphs.size >= maxGraphs || this.characters + known.characters > maxCharacters;
    if (isFull || this.graphs.has(key)) return;
    this.graphs.set(key, known);
    this.characters += known.characters;
  }
}

const storedVersions = `FROM json_to_recordset($1::json) AS a (automation_id uuid, version integer)
  JOIN automation_versions v ON v.automation_id = a.automation_id AND v.version = a.version`;

function rowsOf(versions: readonly Version[]): string {
  return storableJson(versions.map(({ automationId, version }) => ({ automation_id: automationId, version })));
}

/** The first one, and all others that find room. */
function within(versions: readonly SizedVersion[], max: number): readonly SizedVersion[] {
  let characters = 0;
  return versions.filter((version, place) => {
    if (place > 0 && characters + version.characters > max) return false;
    characters += version.characters;
    return true;
  });
}

function keyOf({ automationId, version }: Version): string {
  return `${automationId} ${version}`;
}
