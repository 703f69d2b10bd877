import type { MessageId } from '@parley/contracts';
import { Component, type ReactNode, type RefObject } from 'react';

type Props = { scroller: RefObject<HTMLElement | null>; first: MessageId | undefined; children: ReactNode };
type Place = { element: HTMLElement; top: number };

/**
 * Keeps the messages on screen in their position when older ones are added above. Browsers with scroll anchoring do
 * that themselves, but not at the very top, and not if their anchor is laid out again; other browsers never do.
 */
export class KeepPlace extends Component<Props> {
  override getSnapshotBeforeUpdate({ first }: Props): Place | null {
    const message = first === undefined || first === this.props.first ? null : document.getElementById(first);
    // Measure the chunk: it stays on the page even if the message is left out of it.
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
