import { isUtf8 } from 'node:buffer';
import { utf8OfWindows1252 } from '#mime';
import sax from 'sax';
import { NotAReportError } from './inflate.js';

/** An element with its text and children. Names are without their namespace prefix. */
export interface XmlElement {
  readonly name: string;
  text: string;
  readonly children: XmlElement[];
}

const maxDepth = 12;
const maxElements = 2_000_000;
/** Children of one element outside of `streamed` ones, and text of one element. Reports need a few dozen. */
const maxChildren = 300;
const maxTextLength = 1_000;
/** The type declarations of the parser do not know its option for the entities of HTML. */
const onlyXmlEntities = { strictEntities: true, trim: true };
/** Text given to the parser in one step: it checks its buffers once per step. */
const stepLength = 32 * 1024;

/**
 * Reads XML without document types: nothing is declared, so no entity but the five of XML itself exists, and nothing
 * outside of the text is read. Calls `onElement` for each element with the name `streamed` and then forgets it, so
 * memory does not grow with their number. Returns the root. Throws NotAReportError for what is not well-formed or
 * beyond the limits.
 */
export function readXml(bytes: Buffer, streamed: string, onElement: (element: XmlElement) => void): XmlElement {
  const xml = sax.parser(true, onlyXmlEntities);
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  xml.onerror = () => refuse('The report is not well-formed XML');
  xml.ondoctype = () => refuse('The report declares a document type, which reports do not have');
  xml.onopentag = ({ name }) => {
    if (++elements > maxElements || open.length === maxDepth) refuse('The report has too many elements');
    const element: XmlElement = { name: name.slice(name.indexOf(':') + 1), text: '', children: [] };
    const parent = open.at(-1);
    if (parent === undefined) root = element;
    else if (element.name !== streamed) {
      if (parent.children.length === maxChildren) refuse('The report has too many elements');
      parent.children.push(element);
    }
    open.push(element);
  };
  const onText = (text: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text = (element.text + text).slice(0, maxTextLength);
  };
  xml.ontext = onText;
  xml.oncdata = onText;
  xml.onclosetag = () => {
    const element = open.pop();
    if (element?.name === streamed) onElement(element);
  };
  const whole = new TextDecoder().decode(isUtf8(bytes) ? bytes : utf8OfWindows1252(bytes));
  // Some reporters open an element of the schema before the root, and never close it.
  const text = whole.replace(/^(?:<\?xml[^>]{0,200}>)?\s{0,80}<xs:schema[^>]{0,500}>/, '');
  for (let at = 0; at < text.length; at += stepLength) xml.write(text.slice(at, at + stepLength));
  xml.close();
  return root ?? refuse('The report is not well-formed XML');
}

/** The text of the first element on this path, trimmed; undefined if it is absent or empty. */
export function textAt(element: XmlElement | undefined, ...path: readonly string[]): string | undefined {
  const text = elementAt(element, ...path)?.text.trim();
  return text === '' ? undefined : text;
}

export function elementAt(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce((found, name) => found?.children.find((child) => child.name === name), element);
}

export function elementsAt(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

function refuse(message: string): never {
  throw new NotAReportError(message);
}
