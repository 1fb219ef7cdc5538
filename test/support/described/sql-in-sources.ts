import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { interpolation } from './sql-tables.js';

export interface SqlText {
  /** The lib, or `apps/server`. */
  readonly owner: string;
  readonly file: string;
  readonly text: string;
}

/** Recognises SQL by its keywords in capitals, which prose does not have, or as a whole statement in any case. */
const sqlWords =
  /\b(?:SELECT|FROM|JOIN|INTO|UPDATE|DELETE|TABLE|USING|TRUNCATE|TRIGGER)\b|^\s*(?:select|insert into|update|delete from|with|lock|truncate)\s/;

/** All SQL in the program's sources: strings and templates, `.sql` files. */
export function sqlInSources(): SqlText[] {
  const libs = readdirSync('libs').map((lib) => [lib, join('libs', lib, 'src')] as const);
  return [...libs, ['apps/server', 'apps/server/src'] as const].flatMap(([owner, folder]) =>
    filesOf(folder).flatMap((file) =>
      textsOf(file)
        .filter((text) => sqlWords.test(text))
        .map((text) => ({ owner, file, text })),
    ),
  );
}

/** Without the migrations, which created the tables before they had owners, and without the list of all tables. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        /\.(ts|sql)$/.test(name) && !name.endsWith('.spec.ts') && !/migrations\/|^database\/schema\.sql$/.test(name),
    )
    .map((name) => join(folder, name));
}

function textsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  return file.endsWith('.sql') ? [source] : textsIn(source);
}

/**
 * The strings of a TypeScript module. Concatenated strings are one text; an interpolation is one word in it. `table: '…'` names
 * the table of a generated statement.
 */
export function textsIn(source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const text = textOf(node);
    if (text !== undefined) texts.push(isTable(node.parent) ? `FROM ${text}` : text);
    if (text === undefined || !ts.isStringLiteralLike(node)) ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('module.ts', source, ts.ScriptTarget.ESNext, true));
  return texts;
}

function isTable(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === 'table';
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce((text, span) => `${text}${interpolation}${span.literal.text}`, node.head.text);
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? interpolation}${right ?? interpolation}`;
}
