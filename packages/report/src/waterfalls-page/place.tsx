import type { SourcePlace } from "../waterfalls/report.js";
import { editorLink, placeText } from "../waterfalls/words.js";

interface PlaceLinkProps {
  readonly place: SourcePlace;
  readonly project: string;
}

/** A place in the program, which opens an editor. */
export function PlaceLink({ place, project }: PlaceLinkProps) {
  return (
    <a class="place-link" href={editorLink(project, place)} title="Open in the editor">
      <bdi>{placeText(place)}</bdi>
    </a>
  );
}
