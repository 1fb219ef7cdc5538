import { Transaction } from '#kernel';
import { Row, statementsOf, storableJson } from '#postgres/database';
import { Graph, StoredGraph } from '../../domain/graph.js';

export interface Version {
  readonly automationId: string;
  readonly version: number;
}

const maxGraphs = 500;
/** Characters of the graphs in memory, as JSON: those of {@link maxGraphs} are 10 MB in practice. */
const maxCharacters = 64_000_000;
/** Graphs of one statement: 4 MB, each of the largest size. */
const graphsAtOnce = 8;

/** The graphs of versions, which never change, as far as this process keeps them in memory. */
export class VersionGraphs {
  private readonly graphs = new Map<string, Graph>();
  private characters = 0;

  /** Returns how to find the graph of each version. Those of a deleted automation are gone with its runs: they are empty. */
  async load(versions: readonly Version[], transaction: Transaction): Promise<(version: Version) => Graph> {
    const wanted = new Map(versions.map((version) => [keyOf(version), version]));
    // Another transaction may empty the memory meanwhile.
    const loaded = new Map<string, Graph>();
    if (this.graphs.size + wanted.size > maxGraphs || this.characters > maxCharacters) {
      this.graphs.clear();
      this.characters = 0;
    }
    const unknown: Version[] = [];
    for (const [key, version] of wanted) {
      const known = this.graphs.get(key);
      if (known === undefined) unknown.push(version);
      else loaded.set(key, known);
    }
    for (let from = 0; from < unknown.length; from += graphsAtOnce) {
      for (const { key, graph, characters } of await this.read(unknown.slice(from, from + graphsAtOnce), transaction)) {
        loaded.set(key, graph);
        this.graphs.set(key, graph);
        this.characters += characters;
      }
    }
    return (version) => loaded.get(keyOf(version)) ?? Graph.empty;
  }

  private async read(
    versions: readonly Version[],
    transaction: Transaction,
  ): Promise<readonly { readonly key: string; readonly graph: Graph; readonly characters: number }[]> {
    const rows = await statementsOf(transaction).query<Row<Version & { graph: StoredGraph; characters: number }>>({
      name: 'graphs-of-versions',
      text: `SELECT v.automation_id AS "automationId", v.version, v.graph, length(v.graph::text) AS characters
             FROM json_to_recordset($1::json) AS a (automation_id uuid, version integer)
             JOIN automation_versions v ON v.automation_id = a.automation_id AND v.version = a.version`,
      values: [storableJson(versions.map(({ automationId, version }) => ({ automation_id: automationId, version })))],
    });
    return rows.map(({ graph, characters, ...version }) => ({
      key: keyOf(version),
      graph: Graph.of(graph),
      characters,
    }));
  }
}

function keyOf({ automationId, version }: Version): string {
  return `${automationId} ${version}`;
}
