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

  async load(versions: readonly Version[], transaction: Transaction): Promise<void> {
    const wanted = new Map(versions.map((version) => [keyOf(version), version]));
    if (this.graphs.size + wanted.size > maxGraphs || this.characters > maxCharacters) {
      this.graphs.clear();
      this.characters = 0;
    }
    const unknown = [...wanted].filter(([key]) => !this.graphs.has(key)).map(([, version]) => version);
    for (let from = 0; from < unknown.length; from += graphsAtOnce) {
      await this.read(unknown.slice(from, from + graphsAtOnce), transaction);
    }
  }

  private async read(versions: readonly Version[], transaction: Transaction): Promise<void> {
    const rows = await statementsOf(transaction).query<Row<Version & { graph: StoredGraph; characters: number }>>({
      name: 'graphs-of-versions',
      text: `SELECT v.automation_id AS "automationId", v.version, v.graph, length(v.graph::text) AS characters
             FROM json_to_recordset($1::json) AS a (automation_id uuid, version integer)
             JOIN automation_versions v ON v.automation_id = a.automation_id AND v.version = a.version`,
      values: [storableJson(versions.map(({ automationId, version }) => ({ automation_id: automationId, version })))],
    });
    for (const { graph, characters, ...version } of rows) {
      this.graphs.set(keyOf(version), Graph.of(graph));
      this.characters += characters;
    }
  }

  /** The versions of a deleted automation are gone with its runs. */
  of(version: Version): Graph {
    return this.graphs.get(keyOf(version)) ?? Graph.empty;
  }
}

function keyOf({ automationId, version }: Version): string {
  return `${automationId} ${version}`;
}
