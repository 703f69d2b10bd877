import { useCallback } from 'react';

type Props = { blob: Blob; alt: string; className?: string | undefined; onError: () => void };

/** Shows an image from memory, and revokes its object URL when the image isn't shown any more. */
export function BlobImage({ blob, alt, className, onError }: Props) {
  const show = useCallback(
    (element: HTMLImageElement) => {
      const url = URL.createObjectURL(blob);
      element.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [blob],
  );
  return <img ref={show} alt={alt} className={className} decoding="async" draggable={false} onError={onError} />;
}
