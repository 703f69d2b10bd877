/** A dash in the place of a figure, and why there is none: for the pointer and for screen readers. */
export function NoFigure({ children }: { children: string }) {
  return (
    <span title={children}>
      <span aria-hidden="true">–</span>
      <span className="p-hidden">{children}</span>
    </span>
  );
}
