import { partsOf, plainOf } from './passage-parts.ts';
import classes from './passage-text.module.css';

type Props = {
  text: string;
  /** What stands before and behind it: the passage is marked in that. */
  around?: { before: string; after: string };
};

/** A passage; its tables are drawn. */
export function PassageText({ text, around }: Props) {
  const [first, last] = [plainOf(around?.before ?? ''), plainOf(around?.after ?? '')];
  return (
    <div className={classes.passage}>
      {first === '' ? null : <p dir="auto">… {first}</p>}
      {partsOf(text).map((part, at) =>
        part.kind === 'table' ? (
          <Table key={at} {...part} isMarked={around !== undefined} />
        ) : (
          <p key={at} dir="auto">
            {around ? <mark>{part.text}</mark> : part.text}
          </p>
        ),
      )}
      {last === '' ? null : <p dir="auto">{last} …</p>}
    </div>
  );
}

type TableProps = { names: readonly string[] | null; rows: readonly (readonly string[])[]; isMarked: boolean };

function Table({ names, rows, isMarked }: TableProps) {
  return (
    <div className={classes.tableFrame}>
      <table className={`p-meta ${classes.table}`} data-marked={isMarked || undefined}>
        {names ? (
          <thead>
            <tr>
              {names.map((name, at) => (
                <th key={at} scope="col">
                  <bdi>{name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
        ) : null}
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>
                  <bdi>{cell}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
