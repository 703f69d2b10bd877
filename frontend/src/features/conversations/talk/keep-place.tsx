import type { MessageId } from '@parley/contracts';
import { Component, type ReactNode, type RefObject } from 'react';

type Props = { scroller: RefObject<HTMLElement | null>; first: MessageId | undefined; children: ReactNode };
type Place = { element: HTMLElement; top: number };

/**
 * Keeps what is read in its place when older messages are added before. Most browsers with scroll anchoring do that
 * themselves, but not at the very top, and not if their anchor is laid out again; others never do.
 */
export class KeepPlace extends Component<Props> {
  override getSnapshotBeforeUpdate({ first }: Props): Place | null {
    const message = first === undefined || first === this.props.first ? null : document.getElementById(first);
    // Its chunk stays on the page also if the message is left out of it.
    const element = message?.parentElement;
    return element ? { element, top: element.getBoundingClientRect().top } : null;
  }

  override componentDidUpdate(_props: Props, _state: unknown, place: Place | null): void {
    const scroller = this.props.scroller.current;
    if (!place?.element.isConnected || !scroller) return;
    const moved = place.element.getBoundingClientRect().top - place.top;
    if (moved !== 0) scroller.scrollTop += moved;
  }

  override render(): ReactNode {
    return this.props.children;
  }
}
