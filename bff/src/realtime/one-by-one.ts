export type InTurn = <Result>(act: () => Result | Promise<Result>) => Promise<Result>;

/** Returns a function that does what it is given one after the other. */
export function oneByOne(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act);
    last = mine.catch(() => undefined);
    return mine;
  };
}
