import { partsOf, plainOf } from '../passage-parts.ts';
import classes from './sources-panel.module.css';

type Props = { before: string; text: string; after: string };

/** A passage, marked in what stands around it; its tables are drawn. */
export function PassageText({ before, text, after }: Props) {
  const [first, last] = [plainOf(before), plainOf(after)];
  return (
    <div className={classes.passage}>
      {first === '' ? null : <p dir="auto">… {first}</p>}
      {partsOf(text).map((part, at) =>
        part.kind === 'table' ? (
          <MarkedTable key={at} {...part} />
        ) : (
          <p key={at} dir="auto">
            <mark>{part.text}</mark>
          </p>
        ),
      )}
      {last === '' ? null : <p dir="auto">{last} …</p>}
    </div>
  );
}

function MarkedTable({ names, rows }: { names: readonly string[] | null; rows: readonly (readonly string[])[] }) {
  return (
    <div className={classes.tableFrame}>
      <table className={classes.table}>
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
