// A program with the client of oapi-codegen: lists laps, and reads points. Prints the results.
//
// usage SERVICE SESSION
package main

import (
	"context"
	"encoding/json"
	"os"
	"strconv"

	"usage/client"
)

func must[A any](value A, err error) A {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	session := must(strconv.ParseInt(os.Args[2], 10, 64))
	service := must(client.NewClientWithResponses(os.Args[1]))
	laps := *must(service.LapsOfSessionWithResponse(ctx, session)).JSON200
	rate, channels := int64(10), []string{"lap_distance"}
	wanted := client.LapsTelemetryParams{SampleRate: &rate, Channels: &channels}
	points := must(service.LapsTelemetryWithResponse(ctx, laps[0].Id, &wanted)).JSON200.Points
	first := must(points[0].AsTelemetryPointWithChannels())
	distance, _ := first.Get("lap_distance")
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"laps":     len(laps),
		"points":   len(points),
		"steering": first.Steering,
		"distance": *distance,
	}))
}
