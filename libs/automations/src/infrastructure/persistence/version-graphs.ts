import { Transaction } from '#kernel';
import { Row, statementsOf, storableJson } from '#postgres/database';
import { Graph, StoredGraph } from '../../domain/graph.js';

export interface Version {
  readonly automationId: string;
  readonly version: number;
}

const maxGraphs = 500;

/** The graphs of versions, which never change, as far as this process keeps them in memory. */
export class VersionGraphs {
  private readonly graphs = new Map<string, Graph>();

  async load(versions: readonly Version[], transaction: Transaction): Promise<void> {
    const wanted = new Map(versions.map((version) => [keyOf(version), version]));
    if (this.graphs.size + wanted.size > maxGraphs) this.graphs.clear();
    const unknown = [...wanted].filter(([key]) => !this.graphs.has(key)).map(([, version]) => version);
    if (unknown.length === 0) return;
    const rows = await statementsOf(transaction).query<Row<Version & { graph: StoredGraph }>>({
      name: 'graphs-of-versions',
      text: `SELECT v.automation_id AS "automationId", v.version, v.graph
             FROM json_to_recordset($1::json) AS a (automation_id uuid, version integer)
             JOIN automation_versions v ON v.automation_id = a.automation_id AND v.version = a.version`,
      values: [storableJson(unknown.map(({ automationId, version }) => ({ automation_id: automationId, version })))],
    });
    for (const { graph, ...version } of rows) this.graphs.set(keyOf(version), Graph.of(graph));
  }

  /** The versions of a deleted automation are gone with its runs. */
  of(version: Version): Graph {
    return this.graphs.get(keyOf(version)) ?? Graph.empty;
  }
}

function keyOf({ automationId, version }: Version): string {
  return `${automationId} ${version}`;
}
