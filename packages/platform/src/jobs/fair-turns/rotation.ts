/**
 * Holds waiting items and returns them in turns: one item of each flow in rotation, within a flow one of each
 * organisation, then one of each person, and of one person the first that was added.
 */
export class Rotation<Item> {
  /** One rotation for each flow, organisation or person at this level, in the order of their next turns. */
  private readonly parts = new Map<string, Rotation<Item>>();
  private readonly items: Item[] = [];

  get isEmpty(): boolean {
    return this.parts.size === 0 && this.items.length === 0;
  }

  /** `path` names who waits, from the flow to the person. */
  add([first, ...rest]: readonly string[], item: Item): void {
    if (first === undefined) return void this.items.push(item);
    const part = this.parts.get(first) ?? new Rotation<Item>();
    this.parts.set(first, part);
    part.add(rest, item);
  }

  /** Removes and returns the item with the next turn; undefined if none waits. */
  next(): Item | undefined {
    const [first] = this.parts;
    if (!first) return this.items.shift();
    const [name, part] = first;
    const item = part.next();
    this.parts.delete(name);
    if (!part.isEmpty) this.parts.set(name, part);
    return item;
  }
}
