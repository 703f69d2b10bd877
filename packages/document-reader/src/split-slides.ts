// Runs inside the reader process: no decorators or parameter properties here, Node strips the types itself.
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { Block } from './split-passages.ts';
import { rowTexts } from './table-text.ts';
import { unpack, type Parts } from './unpack.ts';
import { Unreadable } from './unreadable.ts';

type Slide = { title: string; texts: string[] };

/** The text of a PPTX slide by slide, under the slide's title; its notes come last. */
export function splitSlides(content: Uint8Array): Block[] {
  const parts = unpack(content);
  const main = 'ppt/presentation.xml';
  const targets = relationsOf(parts, main);
  const order = idsOfSlides(parts, main).flatMap((id) => targets.get(id)?.target ?? []);
  if (order.length === 0) throw new Unreadable('damaged');
  return order.flatMap((path, at) => {
    const { title, texts } = readSlide(parts, path);
    const notes = [...relationsOf(parts, path).values()].find(({ type }) => type.endsWith('/notesSlide'));
    const said = notes ? readSlide(parts, notes.target).texts : [];
    const all = [...texts, ...said];
    return (all.length === 0 && title !== '' ? [title] : all).map((text) => ({
      titles: [title],
      text,
      place: { kind: 'slide', number: at + 1 } as const,
    }));
  });
}

/** A document type is not read, so that nothing in it can grow. */
function walk(parts: Parts, path: string, on: { open?: Open; close?: Close; text?: (text: string) => void }): void {
  const part = parts[path];
  if (!part) throw new Unreadable('damaged');
  const parser = new SaxesParser();
  parser.on('error', () => {
    throw new Unreadable('damaged');
  });
  parser.on('opentag', (tag) => on.open?.(tag.name, tag.attributes));
  parser.on('closetag', ({ name }) => on.close?.(name));
  parser.on('text', (text) => on.text?.(text));
  parser.write(new TextDecoder().decode(part)).close();
}
type Open = (name: string, attributes: SaxesTagPlain['attributes']) => void;
type Close = (name: string) => void;

function idsOfSlides(parts: Parts, path: string): string[] {
  const ids: string[] = [];
  walk(parts, path, { open: (name, { 'r:id': id }) => name === 'p:sldId' && id !== undefined && ids.push(id) });
  return ids;
}

/** Where the parts are to which one refers, by the names that it has for them. */
function relationsOf(parts: Parts, path: string): Map<string, { readonly type: string; readonly target: string }> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const relations = `${folder}_rels/${path.slice(folder.length)}.rels`;
  const found = new Map<string, { type: string; target: string }>();
  if (!(relations in parts)) return found;
  walk(parts, relations, {
    open: (name, { Id = '', Type = '', Target = '' }) => {
      if (name !== 'Relationship') return;
      found.set(Id, { type: Type, target: new URL(Target, `file:///${folder}`).pathname.slice(1) });
    },
  });
  return found;
}

/** Paragraphs and tables in their order; the number and the date of a slide are no text of it. */
function readSlide(parts: Parts, path: string): Slide {
  const slide: Slide = { title: '', texts: [] };
  let kind = '';
  let paragraphs: string[] = [];
  let rows: string[][] | null = null;
  let isText = false;
  const endShape = (): void => {
    const text = paragraphs.join('\n').trim();
    if (kind === 'title' || kind === 'ctrTitle') slide.title ||= text.replaceAll('\n', ' ');
    else if (text !== '' && !['sldNum', 'dt', 'ftr', 'sldImg'].includes(kind)) slide.texts.push(text);
    [paragraphs, kind] = [[], ''];
  };
  walk(parts, path, {
    open(name, { type = '' }) {
      if (name === 'p:ph') kind = type;
      if (name === 'a:p') paragraphs.push('');
      if (name === 'a:br') append(paragraphs, ' ');
      if (name === 'a:tbl') rows = [];
      if (name === 'a:tr') rows?.push([]);
      if (name === 'a:tc') paragraphs = [];
      if (name === 'a:t') isText = true;
    },
    text: (text) => isText && append(paragraphs, text),
    close(name) {
      if (name === 'a:t') isText = false;
      if (name === 'a:tc') rows?.at(-1)?.push(paragraphs.join(' ').trim());
      if (name === 'a:tbl') {
        slide.texts.push(...rowTexts(rows ?? []));
        [rows, paragraphs] = [null, []];
      }
      if (name === 'p:sp') endShape();
    },
  });
  return slide;
}

function append(paragraphs: string[], text: string): void {
  if (paragraphs.length > 0) paragraphs[paragraphs.length - 1] += text;
}
